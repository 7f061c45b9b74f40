/**
 * Text longer than this is shown unrendered, because rendering it would block the page. Separate from
 * `markdown.tsx`, which loads lazily.
 */
export const MAX_RENDERED_CHARS = 256 * 1024
