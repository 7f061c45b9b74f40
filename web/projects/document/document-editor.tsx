import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { TextDifference } from '../../ui/difference/text-difference.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { fileNameOf, type DocumentRef } from '../document-ref.ts'
import type { FetchedDocument } from '../queries.ts'
import type { ConflictingVersion } from '../../api/conflicts.ts'
import { useDocumentEditor } from './use-document-editor.ts'

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
      {save.error ? <ErrorBox error={save.error} /> : null}
      <Group gap="xs">
        <Button loading={save.isRunning} onClick={() => void save.run()}>
          {saveLabel(conflict)}
        </Button>
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
