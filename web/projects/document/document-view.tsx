import { useState, useRef, useEffect, lazy, Suspense } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Stack, Text, Group, Button, SegmentedControl } from '@mantine/core'
import { useProjectRights } from '../../access/queries.ts'
import { useSignedInUser } from '../../api/use-api.tsx'
import type { DocumentRef } from '../document-ref.ts'
import {
  documentApiPath,
  isMarkdownFile,
  isWritableDocument,
  MAX_EDITABLE_BYTES,
  fileNameOf,
  documentPagePath,
} from '../document-ref.ts'
import { draftKey, readDraft, deleteDraft } from './drafts.ts'
import { type FetchedDocument, useUpdateCacheAfterDocumentChange } from '../queries.ts'
import { ShareDialog } from '../../sharing/share-dialog.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { LoadingIndicator } from '../../ui/feedback/feedback.tsx'
import { markDirectionControls, formatBytes } from '../../ui/format/format-text.ts'
import { Name, ButtonLink, TextLink, projectPage } from '../../ui/links.tsx'
import { Time } from '../../ui/format/time.tsx'
import { MAX_RENDERED_CHARS } from '../../ui/markdown/limits.ts'
import { Hint, Notice } from '../../ui/text.tsx'

const RenderedMarkdownDocument = lazy(async () => ({
  default: (await import('./rendered-markdown-document.tsx')).RenderedMarkdownDocument,
}))

interface DocumentViewProps {
  documentRef: DocumentRef
  document: FetchedDocument
  isRaw: boolean
  /** The line number in the URL's fragment. */
  targetLine: number | null
}

export function DocumentView({ documentRef, document, isRaw, targetLine }: DocumentViewProps) {
  const { text, size, modifiedAt } = document
  const canRender =
    text !== null && isMarkdownFile(documentRef.path) && text.length <= MAX_RENDERED_CHARS
  return (
    <Stack gap="md">
      <Hint>
        <Name>{documentRef.path}</Name> · {formatBytes(size)} · changed{' '}
        <Time at={modifiedAt} show="minute" />
      </Hint>
      <DocumentActions
        documentRef={documentRef}
        document={document}
        canRender={canRender}
        isRaw={isRaw}
      />
      <UnsavedDraftNotice documentRef={documentRef} />
      {text === null && (
        <Text>This file is not text, or too large to show. Download it to view it.</Text>
      )}
      {text !== null && text.length > MAX_RENDERED_CHARS && isMarkdownFile(documentRef.path) && (
        <Text size="sm">This file is too large to render, so its source is shown.</Text>
      )}
      {canRender && !isRaw ? (
        <Suspense fallback={<LoadingIndicator label="Preparing the document" />}>
          <RenderedMarkdownDocument documentRef={documentRef} text={text} targetLine={targetLine} />
        </Suspense>
      ) : (
        text !== null && <PlainText text={text} targetLine={targetLine} />
      )}
    </Stack>
  )
}

interface DocumentActionsProps {
  documentRef: DocumentRef
  document: FetchedDocument
  canRender: boolean
  isRaw: boolean
}

function DocumentActions({ documentRef, document, canRender, isRaw }: DocumentActionsProps) {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const { project: projectId, path } = documentRef
  const page = projectPage(projectId, path)
  const rights = useProjectRights(projectId)
  const isWritable = isWritableDocument(path)
  const canChange = isWritable && rights.canEdit
  const canEdit = canChange && document.text !== null && document.size <= MAX_EDITABLE_BYTES
  return (
    <Group gap="xs">
      {canRender && (
        <SegmentedControl
          aria-label="View"
          size="xs"
          data={[
            { value: 'rendered', label: 'Rendered' },
            { value: 'raw', label: 'Raw' },
          ]}
          value={isRaw ? 'raw' : 'rendered'}
          onChange={(value) =>
            void navigate({
              ...page,
              search: { view: value === 'raw' ? 'raw' : undefined },
              hash: true,
              replace: true,
            })
          }
        />
      )}
      <Button
        component="a"
        href={documentApiPath(documentRef)}
        download={markDirectionControls(fileNameOf(path))}
        variant="default"
        size="xs"
      >
        Download
      </Button>
      <CopyButton
        text={window.location.origin + documentPagePath(documentRef)}
        what="link"
        showsLabel
        size="xs"
      />
      {isWritable && document.text !== null && (
        <Button variant="default" size="xs" onClick={() => setSharing(true)}>
          Share
        </Button>
      )}
      {canEdit && (
        <ButtonLink {...page} search={{ view: 'edit' }} variant="default" size="xs">
          Edit
        </ButtonLink>
      )}
      {canChange && (
        <Button variant="default" size="xs" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      {isSharing && <ShareDialog subject={documentRef} onClose={() => setSharing(false)} />}
      {isDeleting && (
        <DeleteDocumentDialog
          documentRef={documentRef}
          document={document}
          onClose={() => setDeleting(false)}
        />
      )}
    </Group>
  )
}

/** Says that the document has unsaved changes, because the user left the editor without saving. */
function UnsavedDraftNotice({ documentRef: { project, path } }: { documentRef: DocumentRef }) {
  const user = useSignedInUser()
  if (readDraft(draftKey(user.id, project, path)) === null) return null
  return (
    <Notice>
      You have unsaved changes to this document.{' '}
      <TextLink {...projectPage(project, path)} search={{ view: 'edit' }}>
        Continue editing
      </TextLink>
    </Notice>
  )
}

/** Deletes a document only if it is still the version that the user saw. */
function DeleteDocumentDialog({
  documentRef,
  document: { etag },
  onClose,
}: {
  documentRef: DocumentRef
  document: FetchedDocument
  onClose: () => void
}) {
  const user = useSignedInUser()
  const navigate = useNavigate()
  const refresh = useUpdateCacheAfterDocumentChange()
  const { project, path } = documentRef
  return (
    <ConfirmDialog
      title={`Delete “${fileNameOf(path)}”?`}
      confirmLabel="Delete document"
      onClose={onClose}
      onConfirm={async (api) => {
        const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
        await api.projects.removeDocument(project, path, { headers })
        deleteDraft(draftKey(user.id, project, path))
        // Leaves the document's page first, because that page would request the deleted document.
        await navigate(projectPage(project))
        await refresh(documentRef)
      }}
    >
      The file {path} in the project {project} will be permanently deleted. This cannot be undone.
    </ConfirmDialog>
  )
}

/** A file as plain text. The linked line is highlighted and scrolled into view. */
function PlainText({ text, targetLine }: { text: string; targetLine: number | null }) {
  const mark = useRef<HTMLElement>(null)
  // Shows only the first `MAX_RENDERED_CHARS` characters, because browsers scroll a longer text badly.
  const shown = text.length > MAX_RENDERED_CHARS ? text.slice(0, MAX_RENDERED_CHARS) : text
  const { before, line, after } = splitAtLine(shown, targetLine)
  useEffect(() => {
    if (targetLine !== null) mark.current?.scrollIntoView({ block: 'center' })
  }, [targetLine])
  return (
    <>
      {shown.length < text.length && (
        <Text size="sm">
          This file is large, so only the beginning is shown. Download it to see all of it.
        </Text>
      )}
      <pre className="source-box plain-text" dir="auto" tabIndex={0} aria-label="File content">
        {before}
        {line !== '' && (
          <mark ref={mark} className="target-line">
            {line}
          </mark>
        )}
        {after}
      </pre>
    </>
  )
}

function splitAtLine(text: string, targetLine: number | null) {
  if (targetLine === null) return { before: text, line: '', after: '' }
  const lines = text.split('\n')
  const at = Math.min(Math.max(1, targetLine), lines.length) - 1
  const before = lines.slice(0, at).join('\n')
  return {
    before: at === 0 ? '' : `${before}\n`,
    line: lines[at] ?? '',
    after: at === lines.length - 1 ? '' : `\n${lines.slice(at + 1).join('\n')}`,
  }
}
