import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useProjectRights } from '../../access/use-project-rights.ts'
import { useSignedInUser } from '../../api/app-state.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { MAX_RENDERED_CHARS } from '../../ui/markdown/limits.ts'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { Time } from '../../ui/format/time.tsx'
import { LoadingIndicator } from '../../ui/feedback/loading-indicator.tsx'
import { ShareDialog } from '../../sharing/share-dialog.tsx'
import { DeleteDocumentDialog } from './delete-document-dialog.tsx'
import { draftKey, readDraft } from './drafts.ts'
import { PlainText } from './plain-text.tsx'
import {
  documentApiPath,
  isMarkdownFile,
  isWritableDocument,
  MAX_EDITABLE_BYTES,
  fileNameOf,
  documentPagePath,
} from '../document-ref.ts'
import type { DocumentRef } from '../document-ref.ts'
import type { FetchedDocument } from '../queries.ts'
import { Name } from '../../ui/format/name.tsx'
import { markDirectionControls } from '../../ui/format/direction-controls.ts'

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
      <Text size="sm" c="dimmed" className="break-anywhere">
        <Name>{documentRef.path}</Name> · {formatBytes(size)} · changed{' '}
        <Time at={modifiedAt} show="ago" /> (
        <Time at={modifiedAt} show="minute" />)
      </Text>
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
  const page = { to: '/projects/$projectId/$', params: { projectId, _splat: path } } as const
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
    <div className="notice" role="note">
      <Text size="sm">
        You have unsaved changes to this document.{' '}
        <TextLink
          to="/projects/$projectId/$"
          params={{ projectId: project, _splat: path }}
          search={{ view: 'edit' }}
        >
          Continue editing
        </TextLink>
      </Text>
    </div>
  )
}
