declare module '*/steps.wgsl?raw' {
  const text: string;
  export default text;
}
declare module '*/drawing.wgsl?raw' {
  const text: string;
  export default text;
}
