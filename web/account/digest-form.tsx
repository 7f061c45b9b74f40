import { Button, Group, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { ApiDigestChoice } from '../../src/http/shapes/mail.ts'
import { WEEKDAYS, type DigestFrequency, type Weekday } from '../../src/http/shapes/values.ts'
import { useApi } from '../api/app-state.tsx'
import { useReload } from '../api/queries.ts'
import { StatusMessage } from '../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction, useFieldError } from '../ui/forms/form.tsx'
import { TimeZoneField } from '../ui/forms/time-zone-field.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'

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
export function DigestForm({ current }: { current: ApiDigestChoice }) {
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
