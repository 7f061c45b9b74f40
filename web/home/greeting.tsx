import { Group, Text } from '@mantine/core'
import { useSignedInUser } from '../api/app-state.tsx'
import { useNowEvery30Seconds } from '../ui/format/time.tsx'
import { PageTitle } from '../ui/layout/headings.tsx'
import { ButtonLink } from '../ui/links.tsx'

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

/** The heading of the home page. */
export function Greeting({ isNew }: { isNew: boolean }) {
  const { name } = useSignedInUser()
  const now = useNowEvery30Seconds()
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div className="home-greeting">
        <PageTitle tabTitle="Home">
          {`${isNew ? 'Welcome' : greetingAt(new Date(now))}, ${shortName(name)}`}
        </PageTitle>
        <Text c="dimmed" maw={560}>
          {isNew
            ? 'Hansard joins your meetings and writes down what was said, what was decided and who does what.'
            : dayFormat.format(now)}
        </Text>
      </div>
      {!isNew && <ButtonLink to="/meetings">Add a meeting</ButtonLink>}
    </Group>
  )
}

function greetingAt(time: Date): string {
  const hour = time.getHours()
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

/** The first name, or the whole name if the first word may be the family name. */
function shortName(name: string): string {
  return name.includes(',') ? name : (name.trim().split(/\s+/, 1)[0] ?? name)
}
