/**
 * Copies text to the clipboard. The Clipboard API exists only on https and localhost. On plain http, which is
 * common in home networks, `document.execCommand('copy')` is the fallback.
 */
export async function copyText(text: string, returnFocusTo: HTMLElement): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return copyBySelection(text, returnFocusTo)
    }
  }
  return copyBySelection(text, returnFocusTo)
}

/** Copies through a temporary text field. It is inserted next to the button, because an open dialog traps the focus. */
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
