import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { fileNameOf, type DocumentRef } from '../document-ref.ts'
import type { FetchedDocument } from '../queries.ts'
import { useDocumentEditor, type ConflictingVersion } from './use-document-editor.ts'

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
      {conflict && <ConflictNotice name={name} conflict={conflict} />}
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

/** Shows the version that another user saved. The user's own text stays in the editor. */
function ConflictNotice({ name, conflict }: { name: string; conflict: ConflictingVersion }) {
  const isDeleted = conflict.etag === null
  return (
    <div className="notice" role="alert">
      <Stack gap="xs">
        <Text fw={650}>
          {isDeleted
            ? `Another user deleted “${name}” while you were editing it.`
            : `Another user changed “${name}” while you were editing it.`}
        </Text>
        <Text size="sm">
          Your text is still in the editor below.{' '}
          {isDeleted
            ? 'Saving creates the document again.'
            : 'Compare it with the current version, copy what you need, then overwrite it with yours.'}
        </Text>
        {conflict.text !== null && (
          <details open>
            <summary>Current version</summary>
            <pre className="plain-text conflict" tabIndex={0} aria-label="Current version">
              {conflict.text}
            </pre>
          </details>
        )}
      </Stack>
    </div>
  )
}
