import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useApi, useUser } from '../../api/app-state.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { draftKey, deleteDraft, saveDraft, readDraft } from './drafts.ts'
import { documentApiPath, type DocumentRef } from '../document-ref.ts'
import { fetchDocument, useRefreshProjects, type DocumentText } from '../queries.ts'

/** What stands there since somebody else saved; both null: they removed it. */
export type ConflictingVersion = { text: string | null; etag: string | null }

/** The text in the editor of one document, from opening it until it is saved. */
export function useDocumentEditor(place: DocumentRef, saved: DocumentText, onSaved: () => void) {
  const api = useApi()
  const user = useUser()
  const refresh = useRefreshProjects()
  const key = draftKey(user.id, place.project, place.path)
  const [draft] = useState(() => readDraft(key))
  const [start] = useState({ text: saved.text ?? '', etag: saved.etag })
  const [text, setText] = useState(draft?.text ?? toEditorText(start.text))
  const [theirs, setTheirs] = useState<ConflictingVersion | null>(null)
  const isChanged = text !== toEditorText(start.text)
  useWarningBeforeClosing(isChanged)

  const save = useAction(async () => {
    const whole = toFileText(text, start.text)
    const known = theirs === null ? (draft?.etag ?? start.etag) : theirs.etag
    try {
      const answer = await api.putText(documentApiPath(place), whole, preconditionHeaders(known))
      deleteDraft(key)
      const size = new TextEncoder().encode(whole).length
      const etag = answer.headers.get('etag')
      await refresh(place, { text: whole, etag, size, modifiedAt: new Date().toISOString() })
      onSaved()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error
      setTheirs(await readConflictingVersion(() => fetchDocument(api, place)))
    }
  })
  return {
    text,
    isChanged,
    isFromBefore: draft !== null,
    theirs,
    save,
    change(value: string) {
      setText(value)
      saveDraft(key, { text: value, etag: draft?.etag ?? start.etag })
    },
    /** Nothing of it is wanted any more. */
    drop() {
      deleteDraft(key)
    },
  }
}

/** Only over the version that was seen; of what is not there, only while nobody else makes it. */
export function preconditionHeaders(etag: string | null): Record<string, string> {
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
}

async function readConflictingVersion(
  read: () => Promise<DocumentText>,
): Promise<ConflictingVersion> {
  try {
    const { text, etag } = await read()
    return { text, etag }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { text: null, etag: null }
    throw error
  }
}

/** A field of the browser knows one kind of line end only; the file keeps its own. */
function toEditorText(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function toFileText(text: string, before: string): string {
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}

function useWarningBeforeClosing(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isWanted])
}
