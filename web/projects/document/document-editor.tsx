import { Stack, Text, Textarea, Group, Button } from '@mantine/core'
import { useState } from 'react'
import { useApi, useSignedInUser } from '../../api/use-api.tsx'
import type { ConflictingVersion } from '../../api/conflicts.ts'
import { isConflict, readConflictingVersion, preconditionHeaders } from '../../api/conflicts.ts'
import { type DocumentRef, fileNameOf, documentApiPath } from '../document-ref.ts'
import { draftKey, deleteDraft, saveDraft, readDraft, useWarningBeforeClosing } from './drafts.ts'
import type { FetchedDocument } from '../queries.ts'
import { fetchDocument, useUpdateCacheAfterDocumentChange } from '../queries.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { TextDifference } from '../../ui/difference/text-difference.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction, ActionButton } from '../../ui/forms.tsx'

interface DocumentEditorProps {
  documentRef: DocumentRef
  /** The version that the user starts to edit. */
  document: FetchedDocument
  onDone: (note: string) => void
}

export function DocumentEditor({ documentRef, document, onDone }: DocumentEditorProps) {
  const name = fileNameOf(documentRef.path)
  const editing = useDocumentEditor(documentRef, document, () => onDone(`Saved ${name}`))
  const { text, conflict, save, isChanged } = editing
  const [isDiscarding, setDiscarding] = useState(false)
  const leave = () => {
    editing.discardDraft()
    onDone('')
  }
  return (
    <Stack gap="md">
      {editing.isRestoredDraft && conflict === null && (
        <Text size="sm" role="note">
          Restored your unsaved changes.
        </Text>
      )}
      {conflict && <ConflictNotice name={name} conflict={conflict} ownText={text} />}
      <Textarea
        label={`Text of ${name}`}
        value={text}
        spellCheck={false}
        classNames={{ input: 'editor-text' }}
        onChange={(event) => editing.change(event.currentTarget.value)}
      />
      <ErrorBox error={save.error} />
      <Group gap="xs">
        <ActionButton action={save}>{saveLabel(conflict)}</ActionButton>
        <Button variant="default" onClick={() => (isChanged ? setDiscarding(true) : leave())}>
          Cancel
        </Button>
        {conflict && <CopyButton text={text} what="my text" showsLabel />}
      </Group>
      {isDiscarding && (
        <ConfirmDialog
          title={`Discard your changes to “${name}”?`}
          confirmLabel="Discard changes"
          dismissLabel="Keep editing"
          onClose={() => setDiscarding(false)}
          onConfirm={async () => leave()}
        >
          Your changes have not been saved.
        </ConfirmDialog>
      )}
    </Stack>
  )
}

function saveLabel(conflict: ConflictingVersion | null): string {
  if (conflict === null) return 'Save'
  return conflict.etag === null ? 'Save as new document' : 'Overwrite with my version'
}

interface ConflictNoticeProps {
  name: string
  conflict: ConflictingVersion
  ownText: string
}

/** Shows how another user's saved version differs from the user's own text, which stays in the editor. */
function ConflictNotice({ name, conflict, ownText }: ConflictNoticeProps) {
  const isDeleted = conflict.etag === null
  return (
    <Stack gap="xs" className="notice">
      <div role="alert">
        <Text fw={650}>
          {isDeleted
            ? `Another user deleted “${name}” while you were editing it.`
            : `Another user changed “${name}” while you were editing it.`}
        </Text>
        <Text size="sm">
          Your text is still in the editor below.{' '}
          {isDeleted
            ? 'Saving creates the document again.'
            : 'Compare both, take over what you need, then overwrite it with yours.'}
        </Text>
      </div>
      {conflict.text !== null && (
        <TextDifference
          before={conflict.text}
          after={ownText}
          beforeLabel="Saved by another user"
          afterLabel="Your text"
        />
      )}
    </Stack>
  )
}

/** State of the editor of one document: text, draft, saving and conflicts. */
function useDocumentEditor(documentRef: DocumentRef, saved: FetchedDocument, onSaved: () => void) {
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
