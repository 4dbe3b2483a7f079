/** Whether the page is dark, for colours that are drawn. */
export const darkTheme = matchMedia('(prefers-color-scheme: dark)');
