/** The bundler inlines the shapes of icons. */
declare module '*.svg' {
  const shapes: string
  export default shapes
}
