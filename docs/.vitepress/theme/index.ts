/** VitePress's own theme without its web font, and with tables that fit narrow screens. */

import Theme from 'vitepress/theme-without-fonts';
import './style.css';

export default Theme;
