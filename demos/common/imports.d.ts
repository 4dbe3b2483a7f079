/** Files as Vite imports them: as text, and style sheets. */
declare module '*?raw' {
  const text: string;
  export default text;
}
declare module '*.css';
