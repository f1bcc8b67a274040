// Modules that the build makes.

declare module "exercise:starter" {
  /** The starter's text, as the learner first sees it. */
  const text: string;
  export default text;
}

declare module "exercise:solution" {
  /** The solution as HTML with code colours, made from the exercise's own file. */
  const html: string;
  export default html;
}

/** Go's loader for js/wasm, from the Go installation; it sets globalThis.Go. */
declare module "wasm_exec" {}
