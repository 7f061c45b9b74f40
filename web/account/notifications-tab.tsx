import { useState } from 'react'
import { Stack, Text, Radio, Button, NativeSelect, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RecapMailChoice, DigestFrequency, Weekday } from '../../src/http/shapes/values.ts'
import { RECAP_MAIL_CHOICES, WEEKDAYS, BRIEF_MAIL_MINUTES } from '../../src/http/shapes/values.ts'
import { useApi, useAppState, useSignedInUser, useReload } from '../api/use-api.tsx'
import { QueryView, StatusMessage, ErrorBox } from '../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction, useFieldError, ActionButton } from '../ui/forms.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { TextLink } from '../ui/links.tsx'
import type { ApiDigestChoice } from '../../src/http/shapes/mail.ts'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { CopyField } from '../ui/copy.tsx'
import { Time } from '../ui/format/time.tsx'
import { ConfirmButton } from '../ui/dialogs.tsx'
import { TimeZoneField } from '../ui/fields.tsx'

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

const FREQUENCIES: ReadonlyArray<{ value: DigestFrequency; label: string }> = [
  { value: 'none', label: 'No digest' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
]
const [SUNDAY, ...OTHER_DAYS] = WEEKDAYS
const DAYS = [...OTHER_DAYS, SUNDAY].map((value) => ({
  value,
  label: `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
}))
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** When the signed-in user gets a digest by mail. */
function DigestForm({ current }: { current: ApiDigestChoice }) {
  const api = useApi()
  const reload = useReload('notifications')
  const [frequency, setFrequency] = useState<string>(current.frequency)
  const [isSaved, setSaved] = useState(false)
  const action = useAction(async (values: FormData) => {
    setSaved(false)
    const isOn = frequency !== 'none'
    await api.notifications.update({
      digest: {
        frequency: frequency as DigestFrequency,
        weekday:
          frequency === 'weekly'
            ? (readFormText(values, 'digest.weekday') as Weekday)
            : current.weekday,
        hour: isOn ? Number(readFormText(values, 'digest.hour')) : current.hour,
        timeZone: isOn
          ? readFormText(values, 'digest.timeZone')
          : (current.timeZone ?? BROWSER_TIME_ZONE),
      },
    })
    await reload()
    setSaved(true)
  })
  return (
    <Form action={action}>
      <NativeSelect
        name="digest.frequency"
        label="Send me a digest"
        value={frequency}
        onChange={(event) => setFrequency(event.currentTarget.value)}
        data={FREQUENCIES}
      />
      {frequency !== 'none' && <TimeFields current={current} isWeekly={frequency === 'weekly'} />}
      <Button type="submit" loading={action.isRunning} style={{ alignSelf: 'flex-start' }}>
        Save digest
      </Button>
      <StatusMessage>{isSaved && 'Saved.'}</StatusMessage>
    </Form>
  )
}

function TimeFields({ current, isWeekly }: { current: ApiDigestChoice; isWeekly: boolean }) {
  const [zone, setZone] = useState(current.timeZone ?? BROWSER_TIME_ZONE)
  return (
    <>
      <Group grow align="flex-start">
        {isWeekly && (
          <NativeSelect
            name="digest.weekday"
            label="Day"
            defaultValue={current.weekday}
            data={DAYS}
          />
        )}
        <NativeSelect
          name="digest.hour"
          label="Time"
          defaultValue={String(current.hour)}
          data={HOURS}
        />
      </Group>
      <TimeZoneField
        name="digest.timeZone"
        description="Your time zone, for example Europe/Berlin"
        value={zone}
        error={useFieldError('digest.timeZone')}
        onChange={setZone}
      />
    </>
  )
}

const NONE = ''

/** When the signed-in user gets briefs by mail. */
function BriefForm({ current }: { current: number | null }) {
  const api = useApi()
  const reload = useReload('notifications')
  const [isSaved, setSaved] = useState(false)
  const action = useAction(async (values: FormData) => {
    setSaved(false)
    const chosen = readFormText(values, 'briefMinutes')
    const minutes = BRIEF_MAIL_MINUTES.find((value) => String(value) === chosen) ?? null
    await api.notifications.update({ briefMinutes: minutes })
    await reload()
    setSaved(true)
  })
  return (
    <Form action={action}>
      <NativeSelect
        name="briefMinutes"
        label="Send me a brief"
        defaultValue={current === null ? NONE : String(current)}
        data={[
          { value: NONE, label: 'Never' },
          ...BRIEF_MAIL_MINUTES.map((minutes) => ({
            value: String(minutes),
            label: `${minutes} minutes before`,
          })),
        ]}
      />
      <Button type="submit" loading={action.isRunning} style={{ alignSelf: 'flex-start' }}>
        Save brief
      </Button>
      <StatusMessage>{isSaved && 'Saved.'}</StatusMessage>
    </Form>
  )
}

/** The secret address of the signed-in user's digest feed. A new address exists only in the state of this component. */
function DigestFeed({ createdAt }: { createdAt: string | null }) {
  const api = useApi()
  const reload = useReload('notifications')
  const [url, setUrl] = useState<string | null>(null)
  const create = async () => {
    setUrl((await api.notifications.feed({ timeZone: BROWSER_TIME_ZONE })).url)
    await reload()
  }
  const remove = async () => {
    await api.notifications.removeFeed()
    setUrl(null)
    await reload()
  }
  const first = useAction(create)
  if (createdAt === null)
    return (
      <Stack gap="md" align="flex-start">
        <ErrorBox error={first.error} />
        <ActionButton variant="default" action={first}>
          Create address
        </ActionButton>
      </Stack>
    )
  return (
    <Stack gap="md">
      {url === null ? (
        <Text size="sm">
          Address created <Time at={createdAt} show="minute" />. It is not shown again; replace it
          if you lost it.
        </Text>
      ) : (
        <>
          <Text size="sm">This address is shown only once. Add it to your feed reader now.</Text>
          <CopyField label="Address of your feed" value={url} what="address" hasAutofocus />
        </>
      )}
      <Group gap="xs" align="flex-start">
        <ConfirmButton
          label="Replace address"
          ariaLabel="Replace address of your feed"
          question="Feed readers with the old address stop getting your digest."
          confirmLabel="Replace"
          onConfirm={create}
        />
        <ConfirmButton
          label="Remove feed"
          ariaLabel="Remove feed"
          question="Feed readers stop getting your digest."
          confirmLabel="Remove"
          onConfirm={remove}
        />
      </Group>
    </Stack>
  )
}
