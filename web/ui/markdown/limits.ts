/** Rendering longer text would block the page, so it stays unrendered. Not in `markdown.tsx`, which loads lazily. */
export const MAX_RENDERED_CHARS = 256 * 1024
