/**
 * Copies text to the clipboard. The Clipboard API exists only on https and localhost. On plain http, which is common in
 * home networks, `document.execCommand('copy')` is the fallback.
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

/** Copies text in its formatted form too, if the browser allows it, otherwise only as text. */
export async function copyRichText(
  { plain, html }: { plain: string; html: string },
  returnFocusTo: HTMLElement,
): Promise<boolean> {
  if (!window.isSecureContext || typeof ClipboardItem === 'undefined')
    return copyText(plain, returnFocusTo)
  try {
    const types = { 'text/plain': plain, 'text/html': html }
    const blobs = Object.entries(types).map(([type, text]) => [type, new Blob([text], { type })])
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
    return true
  } catch {
    return copyText(plain, returnFocusTo)
  }
}

/** Copies through a temporary text field, inserted next to the button, because an open dialog traps the focus. */
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
