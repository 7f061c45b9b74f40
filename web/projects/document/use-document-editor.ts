import { useEffect, useState } from 'react'
import { useApi, useSignedInUser } from '../../api/app-state.tsx'
import {
  isConflict,
  readConflictingVersion,
  type ConflictingVersion,
  preconditionHeaders,
} from '../../api/conflicts.ts'
import { useAction } from '../../ui/forms/use-action.ts'
import { draftKey, deleteDraft, saveDraft, readDraft } from './drafts.ts'
import { type DocumentRef, documentApiPath } from '../document-ref.ts'
import {
  fetchDocument,
  useUpdateCacheAfterDocumentChange,
  type FetchedDocument,
} from '../queries.ts'

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
      const answer = await api.send({
        method: 'PUT',
        path: documentApiPath(documentRef),
        headers: { 'content-type': 'text/markdown', ...preconditionHeaders(baseEtag) },
        body: fileText,
      })
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
      if (!isConflict(error)) throw error
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
