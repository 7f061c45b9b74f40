/** Characters that change the direction of the text after them. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A name from outside, as pages show it. With a right-to-left override, an executable file could look like a PDF file,
 * so characters that change the direction become visible and lose their effect. Names in right-to-left scripts need
 * none.
 */
export function markDirectionControls(name: string): string {
  return name.replaceAll(DIRECTION_CONTROLS, '\ufffd')
}
