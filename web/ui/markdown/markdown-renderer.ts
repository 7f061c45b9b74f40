import { Marked } from 'marked'

/** Renders tokens to HTML, which is not sanitized yet. */
export const markdownRenderer = new Marked({
  gfm: true,
  renderer: {
    // The check boxes of task lists show a state and can't be changed, so their name is the state.
    checkbox({ checked }) {
      const attributes = checked ? 'aria-label="Done" checked' : 'aria-label="Not done"'
      return `<input type="checkbox" disabled ${attributes}> `
    },
  },
})
