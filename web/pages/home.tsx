import { Anchor, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUser } from '../app-state.tsx'
import { BookIcon, KeyIcon } from '../ui/icons.tsx'
import { TextLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/page-title.tsx'

export function HomePage() {
  const user = useUser()
  return (
    <Stack gap="xl" maw={760}>
      <Stack gap={4}>
        <PageTitle>Home</PageTitle>
        <Text className="break-anywhere">
          Signed in as {user.name} ({user.email}){user.role === 'admin' ? ', administrator' : ''}.
        </Text>
      </Stack>
      <Stack gap="sm" component="section" aria-labelledby="get-going">
        <Title order={2} id="get-going">
          Get going
        </Title>
        <Stack component="ol" className="plain-list" gap="sm">
          <Step
            icon={<KeyIcon />}
            why="Your programs use it to call the API and to check what Hansard sends."
          >
            <TextLink to="/account" search={{ tab: 'tokens' }} fw={600}>
              Make an API token
            </TextLink>
          </Step>
          <Step
            icon={<BookIcon />}
            why="Every call with its fields and examples, served by this machine."
          >
            <Anchor href="/docs" fw={600}>
              Read the API reference
            </Anchor>
          </Step>
        </Stack>
      </Stack>
    </Stack>
  )
}

function Step({ icon, why, children }: { icon: ReactNode; why: string; children: ReactNode }) {
  return (
    <Card component="li" withBorder padding="lg">
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" size="lg">
          {icon}
        </ThemeIcon>
        <div>
          {children}
          <Text size="sm" c="dimmed">
            {why}
          </Text>
        </div>
      </Group>
    </Card>
  )
}
