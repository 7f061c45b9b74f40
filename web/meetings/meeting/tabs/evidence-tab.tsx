import { Image, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiEvidence } from '../../../../src/http/shapes/meetings/evidence.ts'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { DescriptionList } from '../../../ui/layout/description-list.tsx'
import { QueryView } from '../../../ui/feedback/feedback.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'

/** Screenshots and page summaries that were stored when the bot could not join or was removed. */
export function EvidenceTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { meetingId, evidenceCount } = meeting
  const api = useApi()
  const query = useQuery({
    queryKey: ['evidence', meetingId, evidenceCount],
    queryFn: () => api.meetings.evidence(meetingId),
  })
  if (evidenceCount === 0) {
    return (
      <Text size="sm" c="dimmed">
        No screenshots. When a bot cannot join or is removed, a screenshot of the page is saved
        here.
      </Text>
    )
  }
  return (
    <QueryView query={query} label="the screenshots">
      {({ evidence }) => (
        <Stack component="ol" className="plain-list" gap="lg" aria-label="Screenshots">
          {evidence.map((piece) => (
            <EvidenceItem key={piece.number} piece={piece} />
          ))}
        </Stack>
      )}
    </QueryView>
  )
}

function EvidenceItem({ piece: { at, state, marks, survey, screenshot } }: { piece: ApiEvidence }) {
  return (
    <Stack component="li" gap="xs">
      <Text size="sm" fw={650} className="break-anywhere">
        <TimeOfDay at={at} /> · detected as “{state}”
      </Text>
      {screenshot !== null && (
        <Image
          src={screenshot}
          alt={`Meeting page with the title ${survey.title}`}
          radius="sm"
          className="evidence-picture"
        />
      )}
      <DescriptionList
        facts={[
          ['Page', `${survey.title} (${survey.address})`],
          ['Headings', survey.headings.join(' · ') || 'none'],
          ['Buttons', survey.buttons.join(' · ') || 'none'],
          ['Detected by', marks.join(', ') || 'nothing'],
        ]}
      />
    </Stack>
  )
}
