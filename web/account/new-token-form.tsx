import { Checkbox, Group, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Scope, WireCreatedToken } from '../../src/http/shapes/account.ts'
import { ApiError } from '../api-error.ts'
import { useApi } from '../app-state.tsx'
import { TextField } from '../ui/fields.tsx'
import { Form, readText, useFieldProblem } from '../ui/form.tsx'
import { FormButtons } from '../ui/form-buttons.tsx'
import { useAction } from '../ui/use-action.ts'
import { SCOPE_WORDS } from './words.ts'

const EXPIRIES = [
  { days: '', label: 'Never' },
  { days: '30', label: 'In 30 days' },
  { days: '90', label: 'In 90 days' },
  { days: '365', label: 'In 365 days' },
]

interface NewTokenFormProps {
  onCreated: (answer: WireCreatedToken) => void
  onCancel: () => void
}

export function NewTokenForm({ onCreated, onCancel }: NewTokenFormProps) {
  const api = useApi()
  const action = useAction(async (values: FormData) => {
    onCreated(await api.post<WireCreatedToken>('/web/tokens', toBody(values)))
  })
  return (
    <Form action={action}>
      <TextField
        name="name"
        label="Token name"
        description="Where it will be used, for example “backend” or “ci”."
        autoComplete="off"
        maxLength={100}
        isFirst
      />
      <ScopeChoice />
      <Radio.Group name="days" label="It ends" defaultValue="">
        <Group mt="xs" gap="lg">
          {EXPIRIES.map(({ days, label }) => (
            <Radio key={days} value={days} label={label} />
          ))}
        </Group>
      </Radio.Group>
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Create token
      </FormButtons>
    </Form>
  )
}

function ScopeChoice() {
  const [isLimited, setLimited] = useState(false)
  const problem = useFieldProblem('scopes')
  return (
    <>
      <Radio.Group
        name="may"
        label="It may do"
        value={isLimited ? 'some' : 'all'}
        onChange={(value) => setLimited(value === 'some')}
      >
        <Stack mt="xs" gap="xs">
          <Radio value="all" label="Everything" />
          <Radio value="some" label="Only what I choose" />
        </Stack>
      </Radio.Group>
      {isLimited && (
        <Checkbox.Group label="Allowed" defaultValue={['read']} error={problem} pl="xl">
          <Stack mt="xs" gap="xs">
            {Object.entries(SCOPE_WORDS).map(([scope, { long }]) => (
              <Checkbox key={scope} name="scopes" value={scope} label={long} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  )
}

/** No scopes on the wire means everything, so an empty choice must never be sent. */
function readScopes(values: FormData): Scope[] | undefined {
  if (readText(values, 'may') !== 'some') return undefined
  const scopes = values.getAll('scopes') as Scope[]
  if (scopes.length > 0) return scopes
  throw new ApiError('The token would be allowed nothing.', {
    status: 0,
    code: 'no_scope_chosen',
    details: [{ path: 'scopes', message: 'Choose at least one.' }],
  })
}

function toBody(values: FormData): { name: string; scopes?: Scope[]; expiresAt?: string } {
  const scopes = readScopes(values)
  const days = Number(readText(values, 'days'))
  return {
    name: readText(values, 'name').trim(),
    ...(scopes && { scopes }),
    ...(days > 0 && { expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() }),
  }
}
