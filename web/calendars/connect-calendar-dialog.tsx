import {
  Text,
  TextInput,
  Title,
  Stack,
  Anchor,
  List,
  SegmentedControl,
  Divider,
} from '@mantine/core'
import { useState, useRef, useEffect, type ReactNode } from 'react'
import type { ApiCalendar } from '../../src/http/shapes/calendars.ts'
import type { CalendarProviderName } from '../../src/http/shapes/values.ts'
import { useApi, useSignedInUser, useReload } from '../api/use-api.tsx'
import { ConnectButtons } from './calendar-accounts.tsx'
import { CalendarForm } from './calendar-form.tsx'
import { type KnownPreview, useReadPreview } from './queries.ts'
import { fromRuleFields, NO_RULE_FIELDS, suggestCalendarName } from './rules.ts'
import { Dialog } from '../ui/dialogs.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { FormButtons, Form, readFormText, useFieldError, useAction } from '../ui/forms.tsx'
import { Hint } from '../ui/text.tsx'

/** The address and the first preview from it. Both exist only in the dialog's state. */
type FoundCalendar = { url: string; known: KnownPreview }

interface ConnectCalendarDialogProps {
  /** The providers at which an account can be connected. */
  providers: readonly CalendarProviderName[]
  onClose: () => void
  onConnected: (calendar: ApiCalendar) => void
}

/** Asks for the address, then for the rules with a preview of their effect. Saves at the end. */
export function ConnectCalendarDialog(props: ConnectCalendarDialogProps) {
  const { providers, onClose, onConnected } = props
  const [found, setFound] = useState<FoundCalendar | null>(null)
  return (
    <Dialog title="Connect a calendar" size={found === null ? 'lg' : 'wide'} onClose={onClose}>
      {found === null ? (
        <Stack gap="lg">
          {providers.length > 0 && <ProviderChoice providers={providers} />}
          <AddressForm onFound={setFound} onCancel={onClose} />
        </Stack>
      ) : (
        <ChooseMeetings
          found={found}
          onChangeAddress={() => setFound(null)}
          onCancel={onClose}
          onConnected={onConnected}
        />
      )}
    </Dialog>
  )
}

function ProviderChoice({ providers }: { providers: readonly CalendarProviderName[] }) {
  return (
    <Stack gap="sm">
      <Text fw={600}>Connect your account</Text>
      <Hint>
        You sign in at the provider, allow Hansard to read your calendars, and come back here. It
        cannot change anything in them.
      </Hint>
      <ConnectButtons providers={providers} />
      <Divider label="or with a secret address" />
    </Stack>
  )
}

interface AddressFormProps {
  onFound: (found: FoundCalendar) => void
  onCancel: () => void
}

function AddressForm({ onFound, onCancel }: AddressFormProps) {
  const { email } = useSignedInUser()
  const read = useReadPreview()
  const action = useAction(async (values: FormData) => {
    const url = readFormText(values, 'url')
    const rules = { address: email, rules: fromRuleFields(NO_RULE_FIELDS) }
    onFound({ url, known: { rules, preview: await read({ url }, rules) } })
  })
  return (
    <Form action={action}>
      <Text fw={600}>Step 1 of 2: find the secret address of your calendar</Text>
      <AddressSteps />
      <AddressField />
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Continue
      </FormButtons>
    </Form>
  )
}

function AddressField() {
  return (
    <TextInput
      name="url"
      label="Secret address"
      description="Anyone who has it can read the calendar. Hansard stores it encrypted and never shows it again."
      required
      withAsterisk={false}
      maxLength={2048}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
      error={useFieldError('url')}
    />
  )
}

interface ChooseMeetingsProps {
  found: FoundCalendar
  onChangeAddress: () => void
  onCancel: () => void
  onConnected: (calendar: ApiCalendar) => void
}

function ChooseMeetings({ found, onChangeAddress, onCancel, onConnected }: ChooseMeetingsProps) {
  const { url, known } = found
  const api = useApi()
  const reload = useReload('calendars', 'upcoming')
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that led here is gone, so the focus moves to the beginning of this step.
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <Title order={3} size="h5" mb="md" ref={heading} tabIndex={-1}>
        Step 2 of 2: choose which meetings Hansard joins
      </Title>
      <CalendarForm
        source={{ url }}
        initialName={suggestCalendarName(url)}
        initialAddress={known.rules.address}
        known={known}
        submitLabel="Connect calendar"
        onSave={async (body) => {
          const created = await api.calendars.create({
            url,
            timeZone: BROWSER_TIME_ZONE,
            ...body,
          })
          await reload()
          onConnected(created.calendar)
        }}
        onCancel={onCancel}
      />
      <Text size="sm" mt="sm">
        Not the right calendar?{' '}
        <Anchor component="button" type="button" onClick={onChangeAddress}>
          Use another address
        </Anchor>
      </Text>
    </>
  )
}

const SERVICES: Record<string, { label: string; steps: ReactNode; note: string }> = {
  google: {
    label: 'Google',
    steps: (
      <>
        <List.Item>
          On a computer, open Google Calendar, click the gear and then <b>Settings</b>.
        </List.Item>
        <List.Item>
          On the left, under <b>Settings for my calendars</b>, choose your calendar.
        </List.Item>
        <List.Item>
          Choose <b>Integrate calendar</b>.
        </List.Item>
        <List.Item>
          Copy the <b>Secret address in iCal format</b> and paste it below.
        </List.Item>
      </>
    ),
    note: 'If there is no secret address, the administrator of your Google Workspace has turned it off.',
  },
  outlook: {
    label: 'Outlook',
    steps: (
      <>
        <List.Item>
          Open Outlook on the web, click the gear, then <b>Calendar</b> and <b>Shared calendars</b>.
        </List.Item>
        <List.Item>
          Under <b>Publish a calendar</b>, choose your calendar and <b>Can view all details</b>,
          then click <b>Publish</b>.
        </List.Item>
        <List.Item>
          Copy the <b>ICS</b> link and paste it below.
        </List.Item>
      </>
    ),
    note: 'With fewer details, Hansard cannot see titles and meeting links.',
  },
  other: {
    label: 'Other',
    steps: (
      <>
        <List.Item>
          In the sharing settings of the calendar, look for <b>iCal</b>, <b>ICS</b>,{' '}
          <b>Subscribe</b> or <b>Publish</b>.
        </List.Item>
        <List.Item>
          Copy the address, which begins with <b>https://</b> or <b>webcal://</b>, and paste it
          below.
        </List.Item>
      </>
    ),
    note: 'Nextcloud, iCloud, Fastmail and most other calendars have such an address.',
  },
}

/** Explains where to find a calendar's secret address. */
function AddressSteps() {
  const [chosen, setChosen] = useState('google')
  const service = SERVICES[chosen]
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Where your calendar is"
        style={{ alignSelf: 'flex-start' }}
        data={Object.entries(SERVICES).map(([value, { label }]) => ({ value, label }))}
        value={chosen}
        onChange={setChosen}
      />
      <div aria-live="polite">
        <List type="ordered" spacing={6}>
          {service?.steps}
        </List>
        <Hint mt="xs">{service?.note}</Hint>
      </div>
    </Stack>
  )
}
