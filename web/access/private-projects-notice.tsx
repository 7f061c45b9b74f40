import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiNotices } from '../../src/http/shapes/account.ts'
import { useApi } from '../api/app-state.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { useAction } from '../ui/forms/form.tsx'
import { TextLink } from '../ui/links.tsx'

const NOTICES_KEY = ['notices']

/** Tells an admin once, after the upgrade, that projects can be private. */
export function PrivateProjectsNotice() {
  const api = useApi()
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: NOTICES_KEY,
    queryFn: () => api.notices.list(),
    staleTime: Infinity,
  })
  const dismiss = useAction(async () => {
    await api.notices.remove('private_projects')
    queries.setQueryData<ApiNotices>(NOTICES_KEY, { notices: [] })
  })
  if (data?.notices.includes('private_projects') !== true) return null
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="private-projects">
      <Stack gap="sm">
        <Title order={2} id="private-projects">
          Projects can now be private
        </Title>
        <Text size="sm">
          Nothing has changed for your existing projects: everyone who can sign in can still use
          them. The owner of a project can make it private on its page. Administrators own all team
          projects. API tokens of people who were removed keep working, but only in team projects.
        </Text>
        {dismiss.error ? <ErrorBox error={dismiss.error} /> : null}
        <Group gap="lg">
          <TextLink to="/system" search={{ tab: 'projects' }} size="sm">
            See all projects
          </TextLink>
          <Button
            variant="default"
            size="xs"
            loading={dismiss.isRunning}
            onClick={() => void dismiss.run()}
          >
            Dismiss
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
