import { useState } from 'react'
import { Stack, Text, NativeSelect, Group } from '@mantine/core'
import type { RecapMailChoice, DigestFrequency, Weekday } from '../../src/http/shapes/values.ts'
import { RECAP_MAIL_CHOICES, WEEKDAYS, BRIEF_MAIL_MINUTES } from '../../src/http/shapes/values.ts'
import { useAppState, useSignedInUser, useApiQuery } from '../api/use-api.tsx'
import { QueryView, ErrorBox } from '../ui/feedback/feedback.tsx'
import { readFormText, ActionButton, SettingsForm, useRequest } from '../ui/forms.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { TextLink } from '../ui/links.tsx'
import type { ApiDigestChoice } from '../../src/http/shapes/mail.ts'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { CopyField } from '../ui/copy.tsx'
import { Time } from '../ui/format/time.tsx'
import { ConfirmButton } from '../ui/dialogs.tsx'
import { TimeZoneField, RadioField, toOptions } from '../ui/fields.tsx'
import type { ApiClient } from '../api/client.ts'

const CHOICE_LABELS: Record<RecapMailChoice, string> = {
  all: 'All recaps that projects send me',
  took_part: 'Only of meetings where I took part',
  none: 'None',
}

/** Which mail the signed-in user gets. */
export function NotificationsTab() {
  const user = useSignedInUser()
  const { hasMail } = useAppState()
  const query = useApiQuery(['notifications'], (api) => api.notifications.list())
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
  return (
    <SettingsForm
      submitLabel="Save"
      reloads={['notifications']}
      save={(api, values) => {
        const recapMail = readFormText(values, 'recapMail') as RecapMailChoice
        return api.notifications.update({ recapMail })
      }}
    >
      <RadioField
        name="recapMail"
        label="Send me"
        defaultValue={current}
        options={toOptions(CHOICE_LABELS, RECAP_MAIL_CHOICES)}
      />
    </SettingsForm>
  )
}

const FREQUENCY_LABELS: Record<DigestFrequency, string> = {
  none: 'No digest',
  daily: 'Every day',
  weekly: 'Every week',
}

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
  const [frequency, setFrequency] = useState<DigestFrequency>(current.frequency)
  const isOn = frequency !== 'none'
  const isWeekly = frequency === 'weekly'
  const [zone, setZone] = useState(current.timeZone ?? BROWSER_TIME_ZONE)
  const save = (api: ApiClient, values: FormData) => {
    const weekday = isWeekly ? (readFormText(values, 'digest.weekday') as Weekday) : current.weekday
    const hour = isOn ? Number(readFormText(values, 'digest.hour')) : current.hour
    const timeZone = isOn
      ? readFormText(values, 'digest.timeZone')
      : (current.timeZone ?? BROWSER_TIME_ZONE)
    return api.notifications.update({ digest: { frequency, weekday, hour, timeZone } })
  }
  return (
    <SettingsForm submitLabel="Save digest" reloads={['notifications']} save={save}>
      <NativeSelect
        name="digest.frequency"
        label="Send me a digest"
        value={frequency}
        onChange={(event) => setFrequency(event.currentTarget.value as DigestFrequency)}
        data={toOptions(FREQUENCY_LABELS)}
      />
      {isOn && (
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
            onChange={setZone}
          />
        </>
      )}
    </SettingsForm>
  )
}

const NONE = ''

/** When the signed-in user gets briefs by mail. */
function BriefForm({ current }: { current: number | null }) {
  return (
    <SettingsForm
      submitLabel="Save brief"
      reloads={['notifications']}
      save={(api, values) => {
        const chosen = readFormText(values, 'briefMinutes')
        const minutes = BRIEF_MAIL_MINUTES.find((value) => String(value) === chosen) ?? null
        return api.notifications.update({ briefMinutes: minutes })
      }}
    >
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
    </SettingsForm>
  )
}

/** The secret address of the signed-in user's digest feed. A new address exists only in the state of this component. */
function DigestFeed({ createdAt }: { createdAt: string | null }) {
  const [url, setUrl] = useState<string | null>(null)
  const create = async (api: ApiClient) =>
    setUrl((await api.notifications.feed({ timeZone: BROWSER_TIME_ZONE })).url)
  const remove = async (api: ApiClient) => {
    await api.notifications.removeFeed()
    setUrl(null)
  }
  const first = useRequest(create, ['notifications'])
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
          reloads={['notifications']}
        />
        <ConfirmButton
          label="Remove feed"
          ariaLabel="Remove feed"
          question="Feed readers stop getting your digest."
          confirmLabel="Remove"
          onConfirm={remove}
          reloads={['notifications']}
        />
      </Group>
    </Stack>
  )
}
