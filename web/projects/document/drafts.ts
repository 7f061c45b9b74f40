import { useEffect } from 'react'

/** Unsaved text of the editor, with the ETag of the version that it is based on. */
export type Draft = { text: string; etag: string | null }

const PREFIX = 'hansard-draft '

/** Drafts are in sessionStorage. They survive a reload and an expired session, but not closing the tab. */
export function draftKey(userId: string, project: string, path: string): string {
  return `${PREFIX}${userId} ${project}/${path}`
}

export function readDraft(key: string): Draft | null {
  const stored = window.sessionStorage.getItem(key)
  if (stored === null) return null
  const { text, etag } = JSON.parse(stored) as Partial<Draft>
  return typeof text === 'string' ? { text, etag: etag ?? null } : null
}

export function saveDraft(key: string, draft: Draft): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(draft))
  } catch (error) {
    // The storage is full. The text is still in the editor, and only the draft copy is missing.
    if (!(error instanceof DOMException)) throw error
  }
}

export function deleteDraft(key: string): void {
  window.sessionStorage.removeItem(key)
}

/** Called on sign-out, so that the next user of this browser can't read the drafts. */
export function deleteAllDrafts(): void {
  for (const key of Object.keys(window.sessionStorage)) {
    if (key.startsWith(PREFIX)) window.sessionStorage.removeItem(key)
  }
}

/** The browser asks before it closes a page with changes that are not saved. */
export function useWarningBeforeClosing(isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isEnabled])
}
