import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { BRIEF_MAIL_MINUTES } from '../../src/http/shapes/values.ts'
import { useApi } from '../api/app-state.tsx'
import { useReload } from '../api/queries.ts'
import { StatusMessage } from '../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction } from '../ui/forms/form.tsx'

const NONE = ''

/** When the signed-in user gets briefs by mail. */
export function BriefForm({ current }: { current: number | null }) {
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
