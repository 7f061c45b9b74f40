import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useApi, useSignedInUser } from '../../api/app-state.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { draftKey, deleteDraft, saveDraft, readDraft } from './drafts.ts'
import { documentApiPath, type DocumentRef } from '../document-ref.ts'
import {
  fetchDocument,
  useUpdateCacheAfterDocumentChange,
  type FetchedDocument,
} from '../queries.ts'

/** The version of a document that another user saved during editing. Both fields are null if it was deleted. */
export type ConflictingVersion = { text: string | null; etag: string | null }

/** State of the editor of one document: text, draft, saving and conflicts. */
export function useDocumentEditor(
  documentRef: DocumentRef,
  saved: FetchedDocument,
  onSaved: () => void,
) {
  const api = useApi()
  const user = useSignedInUser()
  const refresh = useUpdateCacheAfterDocumentChange()
  const key = draftKey(user.id, documentRef.project, documentRef.path)
  const [draft] = useState(() => readDraft(key))
  const [original] = useState({ text: saved.text ?? '', etag: saved.etag })
  const [text, setText] = useState(draft?.text ?? toEditorText(original.text))
  const [conflict, setConflict] = useState<ConflictingVersion | null>(null)
  const isChanged = text !== toEditorText(original.text)
  useWarningBeforeClosing(isChanged)

  const save = useAction(async () => {
    const fileText = toFileText(text, original.text)
    const baseEtag = conflict === null ? (draft?.etag ?? original.etag) : conflict.etag
    try {
      const answer = await api.putText(
        documentApiPath(documentRef),
        fileText,
        preconditionHeaders(baseEtag),
      )
      deleteDraft(key)
      const size = new TextEncoder().encode(fileText).length
      const etag = answer.headers.get('etag')
      await refresh(documentRef, {
        text: fileText,
        etag,
        size,
        modifiedAt: new Date().toISOString(),
      })
      onSaved()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error
      setConflict(await readConflictingVersion(() => fetchDocument(api, documentRef)))
    }
  })
  return {
    text,
    isChanged,
    isRestoredDraft: draft !== null,
    conflict,
    save,
    change(value: string) {
      setText(value)
      saveDraft(key, { text: value, etag: draft?.etag ?? original.etag })
    },
    discardDraft() {
      deleteDraft(key)
    },
  }
}

/** Headers that make the API save only over the version `etag`, or, if null, only if there is no such document. */
export function preconditionHeaders(etag: string | null): Record<string, string> {
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
}

async function readConflictingVersion(
  read: () => Promise<FetchedDocument>,
): Promise<ConflictingVersion> {
  try {
    const { text, etag } = await read()
    return { text, etag }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { text: null, etag: null }
    throw error
  }
}

/** Converts \r\n line endings to \n, which a textarea requires. `toFileText` restores the \r\n when saving. */
function toEditorText(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function toFileText(text: string, before: string): string {
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}

function useWarningBeforeClosing(isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isEnabled])
}
