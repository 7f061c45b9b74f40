import { Stack, Text, Title } from '@mantine/core'
import type { ApiShare } from '../../src/http/shapes/shares.ts'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { useProjectShares } from './queries.ts'
import { ShareList } from './share-list.tsx'

/** All share links of a project, for its owners, including links to removed documents. */
export function ProjectShares({ project }: { project: string }) {
  const query = useProjectShares(project)
  return (
    <Stack gap="sm" component="section" aria-labelledby="project-shares">
      <Title order={2} id="project-shares">
        Share links
      </Title>
      <QueryView query={query} label="the links">
        {({ shares, isOn }) => (
          <>
            {!isOn && (
              <Text size="sm">Share links are turned off, so none of these links work.</Text>
            )}
            {shares.length === 0 ? (
              <Text size="sm">
                No share links yet. Use the Share button of a meeting or document to create a link
                for people without an account.
              </Text>
            ) : (
              <ShareList
                owner={{ project }}
                shares={shares}
                renderSubject={(share) => <SharedThing project={project} share={share} />}
              />
            )}
          </>
        )}
      </QueryView>
    </Stack>
  )
}

function SharedThing({ project, share }: { project: string; share: ApiShare }) {
  const { meetingId, title, path, state } = share
  if (meetingId !== null && title === null) return <Text size="sm">A meeting that was moved</Text>
  if (meetingId !== null)
    return (
      <TextLink to="/meetings/$meetingId" params={{ meetingId }} size="sm">
        {title}
      </TextLink>
    )
  if (state === 'document_removed') return <Text size="sm">{path}</Text>
  return (
    <TextLink
      to="/projects/$projectId/$"
      params={{ projectId: project, _splat: path ?? '' }}
      size="sm"
    >
      {path}
    </TextLink>
  )
}
