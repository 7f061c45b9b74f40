import { Button, Collapse, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ApiCalendar } from '../../src/http/shapes/calendars.ts'
import { SigningTokenField } from '../meetings/callback-fields.tsx'
import { useTasks } from '../tasks/queries.ts'
import { TextField, readFormText, useFieldError } from '../ui/forms/form.tsx'

export type MoreFieldValues = {
  account?: string | null
  task?: string | null
  callbackUrl?: string | null
  tokenId?: string | null
  url?: string
}

/** Settings that most people do not need. They are part of the form only while they are shown. */
export function MoreFields({ calendar }: { calendar: ApiCalendar | undefined }) {
  const isUsed =
    calendar !== undefined && (calendar.account ?? calendar.task ?? calendar.callbackUrl) !== null
  const [isExpanded, setExpanded] = useState(isUsed)
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isExpanded}
        onClick={() => setExpanded((expanded) => !expanded)}
      >
        {isExpanded ? 'Fewer options' : 'More options: bot account, task, callbacks'}
      </Button>
      <Collapse expanded={isExpanded} transitionDuration={0}>
        {isExpanded && (
          <Stack gap="md">
            <TextField
              name="account"
              label="Bot account"
              description="Name of the account that joins. Leave empty to join as a guest."
              defaultValue={calendar?.account ?? ''}
              maxLength={100}
              autoComplete="off"
              isOptional
            />
            <TaskField chosen={calendar?.task ?? ''} />
            <CallbackFields calendar={calendar} />
            {calendar && (
              <TextField
                name="url"
                label="New secret address"
                description="Only if the old one was reset. Leave empty to keep it."
                maxLength={2048}
                autoComplete="off"
                isOptional
              />
            )}
          </Stack>
        )}
      </Collapse>
    </>
  )
}

function TaskField({ chosen }: { chosen: string }) {
  const names = useTasks().data?.tasks.map(({ name }) => name) ?? []
  const [task, setTask] = useState(chosen)
  const listed = task === '' || names.includes(task) ? names : [task, ...names]
  return (
    <NativeSelect
      name="task"
      label="Task after each meeting"
      description="Runs when a meeting of this calendar has ended."
      value={task}
      error={useFieldError('task')}
      onChange={(event) => setTask(event.currentTarget.value)}
      data={[{ value: '', label: 'None' }, ...listed]}
    />
  )
}

function CallbackFields({ calendar }: { calendar: ApiCalendar | undefined }) {
  const [url, setUrl] = useState(calendar?.callbackUrl ?? '')
  return (
    <>
      <TextInput
        name="callbackUrl"
        label="Callback URL"
        description="Optional. Your program that receives the events of these meetings."
        placeholder="https://example.com/hook"
        value={url}
        error={useFieldError('callbackUrl')}
        onChange={(event) => setUrl(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {url.trim() !== '' && <SigningTokenField chosen={calendar?.tokenId ?? undefined} />}
    </>
  )
}

/** Leaves out fields that are not shown. */
export function readMoreFields(values: FormData): MoreFieldValues {
  if (!values.has('account')) return {}
  const callbackUrl = readFormText(values, 'callbackUrl')
  const url = readFormText(values, 'url')
  return {
    account: readFormText(values, 'account') || null,
    task: readFormText(values, 'task') || null,
    callbackUrl: callbackUrl || null,
    tokenId: callbackUrl === '' ? null : readFormText(values, 'tokenId'),
    ...(url !== '' && { url }),
  }
}
