const PREFIX = 'hansard-code '

/**
 * One-time codes by the path of their page. In sessionStorage, a code survives a reload of the tab, but is not in the
 * browser's history and not sent to any server.
 */
export function readStoredCode(pathname: string, storage: Storage): string {
  return storage.getItem(PREFIX + pathname) ?? ''
}

/** An empty code deletes the stored one. */
export function storeCode(pathname: string, code: string, storage: Storage): void {
  if (code === '') storage.removeItem(PREFIX + pathname)
  else storage.setItem(PREFIX + pathname, code)
}

/** Extracts the one-time code from pasted text: a whole setup or invitation link, or only the code. */
export function extractCode(pasted: string): string {
  return pasted.slice(pasted.lastIndexOf('#') + 1).trim()
}
