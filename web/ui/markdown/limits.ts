/** Characters. A markdown text that is longer is shown as it is written: drawing it would hold up the page. */
export const MAX_RENDERED_CHARS = 256 * 1024
