import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { fileNameOf, type DocumentRef } from '../document-ref.ts'
import type { DocumentText } from '../queries.ts'
import { useDocumentEditor, type ConflictingVersion } from './use-document-editor.ts'

interface DocumentEditorProps {
  place: DocumentRef
  /** The version that the editing begins with. */
  document: DocumentText
  onDone: (note: string) => void
}

export function DocumentEditor({ place, document, onDone }: DocumentEditorProps) {
  const name = fileNameOf(place.path)
  const editing = useDocumentEditor(place, document, () => onDone(`${name} is saved`))
  const { text, theirs, save, isChanged } = editing
  const [isDropping, setDropping] = useState(false)
  const leave = () => {
    editing.drop()
    onDone('')
  }
  return (
    <Stack gap="md">
      {editing.isFromBefore && theirs === null && (
        <Text size="sm" role="note">
          This is what you typed before and did not save.
        </Text>
      )}
      {theirs && <ConflictNotice name={name} theirs={theirs} />}
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
          {saveLabel(theirs)}
        </Button>
        <Button variant="default" onClick={() => (isChanged ? setDropping(true) : leave())}>
          Cancel
        </Button>
        {theirs && <CopyButton text={text} what="my text" showsLabel />}
      </Group>
      {isDropping && (
        <ConfirmDialog
          title={`Drop your changes to “${name}”?`}
          confirmLabel="Drop my changes"
          onClose={() => setDropping(false)}
          onConfirm={async () => leave()}
        >
          What you typed is not saved anywhere else.
        </ConfirmDialog>
      )}
    </Stack>
  )
}

function saveLabel(theirs: ConflictingVersion | null): string {
  if (theirs === null) return 'Save'
  return theirs.etag === null ? 'Save mine as a new document' : 'Save mine over it'
}

/** Nothing of what was typed is touched: it stands in the field below. */
function ConflictNotice({ name, theirs }: { name: string; theirs: ConflictingVersion }) {
  const isGone = theirs.etag === null
  return (
    <div className="notice" role="alert">
      <Stack gap="xs">
        <Text fw={650}>
          {isGone
            ? `Somebody deleted “${name}” while you were editing it.`
            : `Somebody else saved “${name}” while you were editing it.`}
        </Text>
        <Text size="sm">
          Nothing is lost: your text is still in the field below
          {isGone
            ? ', and saving makes the document anew.'
            : ', and theirs is here. Take over what you need, then save yours over it.'}
        </Text>
        {theirs.text !== null && (
          <details open>
            <summary>The text that is there now</summary>
            <pre className="plain-text theirs" tabIndex={0} aria-label="The text that is there now">
              {theirs.text}
            </pre>
          </details>
        )}
      </Stack>
    </div>
  )
}
