import { Anchor, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { meetingApiPath } from '../../queries.ts'
import { savedDocumentPathToLink } from '../../../projects/document-ref.ts'
import { TextLink } from '../../../ui/links.tsx'
import { QueryView, LoadingIndicator } from '../../../ui/feedback/feedback.tsx'

const Markdown = lazy(async () => ({
  default: (await import('../../../ui/markdown/markdown.tsx')).Markdown,
}))

/** The saved transcript file, without its front matter. */
export function DocumentTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { meetingId, documentPath, segmentCount, status } = meeting
  const api = useApi()
  const path = `${meetingApiPath(meetingId)}/document`
  const query = useQuery({
    queryKey: ['document', meetingId, segmentCount, status],
    queryFn: () => api.meetings.document(meetingId),
    enabled: documentPath !== null,
  })
  if (documentPath === null) {
    return <Text c="dimmed">No document: this meeting was started without saving one.</Text>
  }
  return (
    <Stack gap="sm">
      <VisuallyHidden role="heading" aria-level={2}>
        Document
      </VisuallyHidden>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" className="break-anywhere">
          {documentPath}
        </Text>
        <Group gap="sm">
          <OpenInProjectLink documentPath={documentPath} />
          <Anchor href={path} download size="sm">
            Download
          </Anchor>
        </Group>
      </Group>
      <QueryView query={query} label="the document">
        {(text) => (
          <Suspense fallback={<LoadingIndicator label="Preparing the document" />}>
            <Markdown text={stripFrontMatter(text)} />
          </Suspense>
        )}
      </QueryView>
    </Stack>
  )
}

/** Opens the saved transcript on its project's page. */
function OpenInProjectLink({ documentPath }: { documentPath: string }) {
  const link = savedDocumentPathToLink(documentPath)
  if (link === null) return null
  const { project, path } = link
  return (
    <TextLink to="/projects/$projectId/$" params={{ projectId: project, _splat: path }} size="sm">
      Open in project
    </TextLink>
  )
}

function stripFrontMatter(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, '')
}
