/**
 * Puts a text on the clipboard. The modern interface exists only on https and localhost, and this console is
 * often read over plain http in a home network, so the old command is the second way.
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return copyBySelection(text, near)
    }
  }
  return copyBySelection(text, near)
}

/** The helper field stands beside the button, because a dialog takes the focus back from anything outside. */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  near.after(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    near.focus()
  }
}
