/** What somebody typed and did not save, and of which version it was made. */
export type Draft = { text: string; etag: string | null }

const PREFIX = 'hansard-draft '

/** For one tab: it outlives a reload, a lost session and a wrong click, but not the tab. */
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
    // A full store: the text is still in the field, only the second net is missing.
    if (!(error instanceof DOMException)) throw error
  }
}

export function deleteDraft(key: string): void {
  window.sessionStorage.removeItem(key)
}

/** Nobody after them shall find what they typed. */
export function deleteAllDrafts(): void {
  for (const key of Object.keys(window.sessionStorage)) {
    if (key.startsWith(PREFIX)) window.sessionStorage.removeItem(key)
  }
}
