import { List, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'

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
export function AddressSteps() {
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
        <Text size="sm" c="dimmed" mt="xs">
          {service?.note}
        </Text>
      </div>
    </Stack>
  )
}
