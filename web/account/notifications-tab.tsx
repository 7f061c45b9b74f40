import { Button, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RECAP_MAIL_CHOICES, type RecapMailChoice } from '../../src/http/shapes/values.ts'
import { useApi, useAppState, useSignedInUser } from '../api/app-state.tsx'
import { useReload } from '../api/queries.ts'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction } from '../ui/forms/form.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'
import { TextLink } from '../ui/links.tsx'
import { BriefForm } from './brief-form.tsx'
import { DigestFeed } from './digest-feed.tsx'
import { DigestForm } from './digest-form.tsx'

const CHOICE_LABELS: Record<RecapMailChoice, string> = {
  all: 'All recaps that projects send me',
  took_part: 'Only of meetings where I took part',
  none: 'None',
}

/** Which mail the signed-in user gets. */
export function NotificationsTab() {
  const api = useApi()
  const user = useSignedInUser()
  const { hasMail } = useAppState()
  const query = useQuery({
    queryKey: ['notifications'],
    queryFn: () => api.notifications.list(),
  })
  return (
    <QueryView query={query} label="your notifications">
      {({ recapMail, digest, briefMinutes, feed }) => (
        <Stack gap="lg" maw={480}>
          {hasMail ? (
            <>
              <SectionHeader
                title="Recaps by mail"
                description={`Each project decides whether it sends recaps, and to whom. They go to ${user.email}.`}
              />
              <ChoiceForm current={recapMail} />
              <SectionHeader
                title="Digest by mail"
                description="Meetings, decisions, your action items and open questions of a day or week, from everything you may read. Nothing is sent if nothing happened."
              />
              <DigestForm current={digest} />
              <SectionHeader
                title="Brief before meetings"
                description="What was decided in earlier meetings and what is still open, before meetings of your calendars and meetings you are invited to. Nothing is sent if nothing is known."
              />
              <BriefForm current={briefMinutes} />
            </>
          ) : (
            <NoMail isAdmin={user.role === 'admin'} />
          )}
          <SectionHeader
            title="Digest as a feed"
            description="Your digest in a feed reader. Whoever has the address can read it without signing in, so keep it secret."
          />
          <DigestFeed createdAt={feed?.createdAt ?? null} />
        </Stack>
      )}
    </QueryView>
  )
}

function NoMail({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      <SectionHeader title="Mail" description="Hansard can mail recaps and a digest of them." />
      <Text>
        Mail is not set up on this instance, so nothing is sent.{' '}
        {isAdmin && (
          <TextLink to="/system" search={{ tab: 'mail' }}>
            How to set it up
          </TextLink>
        )}
      </Text>
    </>
  )
}

function ChoiceForm({ current }: { current: RecapMailChoice }) {
  const api = useApi()
  const reload = useReload('notifications')
  const [isSaved, setSaved] = useState(false)
  const action = useAction(async (values: FormData) => {
    setSaved(false)
    await api.notifications.update({
      recapMail: readFormText(values, 'recapMail') as RecapMailChoice,
    })
    await reload()
    setSaved(true)
  })
  return (
    <Form action={action}>
      <Radio.Group name="recapMail" label="Send me" defaultValue={current}>
        <Stack mt="xs" gap="xs">
          {RECAP_MAIL_CHOICES.map((choice) => (
            <Radio key={choice} value={choice} label={CHOICE_LABELS[choice]} />
          ))}
        </Stack>
      </Radio.Group>
      <Button type="submit" loading={action.isRunning} style={{ alignSelf: 'flex-start' }}>
        Save
      </Button>
      <StatusMessage>{isSaved && 'Saved.'}</StatusMessage>
    </Form>
  )
}
