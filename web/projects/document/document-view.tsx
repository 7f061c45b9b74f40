import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useUser } from '../../api/app-state.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { MAX_RENDERED_CHARS } from '../../ui/markdown/limits.ts'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Time } from '../../ui/format/time.tsx'
import { LoadingIndicator } from '../../ui/feedback/loading-indicator.tsx'
import { DeleteDocumentDialog } from './delete-document-dialog.tsx'
import { draftKey, readDraft } from './drafts.ts'
import { PlainText } from './plain-text.tsx'
import {
  documentApiPath,
  isMarkdown,
  isWritable,
  MAX_EDITABLE_BYTES,
  fileNameOf,
  documentPagePath,
  formatFileSize,
} from '../document-ref.ts'
import type { DocumentRef } from '../document-ref.ts'
import type { DocumentText } from '../queries.ts'

const DocumentBody = lazy(async () => ({
  default: (await import('./document-body.tsx')).DocumentBody,
}))

interface DocumentViewProps {
  place: DocumentRef
  document: DocumentText
  isRaw: boolean
  /** The line that the address names. */
  target: number | null
}

export function DocumentView({ place, document, isRaw, target }: DocumentViewProps) {
  const { text, size, modifiedAt } = document
  const canBeDrawn = text !== null && isMarkdown(place.path) && text.length <= MAX_RENDERED_CHARS
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" className="break-anywhere">
        {place.path} · {formatFileSize(size)} · changed <Time at={modifiedAt} show="relative" /> (
        <Time at={modifiedAt} show="minute" />)
      </Text>
      <DocumentActions place={place} document={document} canBeDrawn={canBeDrawn} isRaw={isRaw} />
      <UnsavedDraftNotice place={place} />
      {text === null && (
        <Text>This file is no text, or too large to be shown. The download has it as it is.</Text>
      )}
      {text !== null && text.length > MAX_RENDERED_CHARS && isMarkdown(place.path) && (
        <Text size="sm">The file is large, so it is shown as it is written.</Text>
      )}
      {canBeDrawn && !isRaw ? (
        <Suspense fallback={<LoadingIndicator label="Preparing the document" />}>
          <DocumentBody place={place} text={text} target={target} />
        </Suspense>
      ) : (
        text !== null && <PlainText text={text} target={target} />
      )}
    </Stack>
  )
}

interface DocumentActionsProps {
  place: DocumentRef
  document: DocumentText
  canBeDrawn: boolean
  isRaw: boolean
}

function DocumentActions({ place, document, canBeDrawn, isRaw }: DocumentActionsProps) {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const { project: projectId, path } = place
  const page = { to: '/projects/$projectId/$', params: { projectId, _splat: path } } as const
  const canChange = isWritable(path)
  const canEdit = canChange && document.text !== null && document.size <= MAX_EDITABLE_BYTES
  return (
    <Group gap="xs">
      {canBeDrawn && (
        <SegmentedControl
          aria-label="How it is shown"
          size="xs"
          data={[
            { value: 'drawn', label: 'Rendered' },
            { value: 'raw', label: 'Raw' },
          ]}
          value={isRaw ? 'raw' : 'drawn'}
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
        href={documentApiPath(place)}
        download={fileNameOf(path)}
        variant="default"
        size="xs"
      >
        Download
      </Button>
      <CopyButton
        text={window.location.origin + documentPagePath(place)}
        what="link"
        showsLabel
        size="xs"
      />
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
      {isDeleting && (
        <DeleteDocumentDialog
          place={place}
          document={document}
          onClose={() => setDeleting(false)}
        />
      )}
    </Group>
  )
}

/** Somebody went away from the editor without saving. */
function UnsavedDraftNotice({ place: { project, path } }: { place: DocumentRef }) {
  const user = useUser()
  if (readDraft(draftKey(user.id, project, path)) === null) return null
  return (
    <div className="notice" role="note">
      <Text size="sm">
        You have not saved what you typed here.{' '}
        <TextLink
          to="/projects/$projectId/$"
          params={{ projectId: project, _splat: path }}
          search={{ view: 'edit' }}
        >
          Go on editing
        </TextLink>
      </Text>
    </div>
  )
}
