import { useQueryClient } from '@tanstack/react-query'
import { Stack, Text, Group, Checkbox, Button, Radio } from '@mantine/core'
import { useState } from 'react'
import type {
  ApiCreatedToken,
  ApiTokenKind,
  ApiTokenScope,
} from '../../../src/http/shapes/account.ts'
import { SCOPE_LABELS, TOKEN_KIND_LABELS } from '../account-labels.ts'
import { useSignInMethods } from '../queries.ts'
import { ApiError } from '../../api/api-error.ts'
import {
  cacheSignInResult,
  useApi,
  useAppState,
  useSignedInUser,
  useReload,
} from '../../api/use-api.tsx'
import { CopyButton, CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialogs.tsx'
import {
  FormButtons,
  Form,
  readFormText,
  readUntrimmedFormText,
  useFieldError,
  useAction,
} from '../../ui/forms.tsx'
import { TextField, PasswordField, RadioField, AllOrSomeField } from '../../ui/fields.tsx'
import { Hint } from '../../ui/text.tsx'

/** Shows the form, then the new key and secret. Both exist only in this dialog's state until it closes. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<ApiCreatedToken | null>(null)
  const refresh = useReload('tokens')
  function show(answer: ApiCreatedToken): void {
    setCreated(answer)
    void refresh()
  }
  return (
    <Dialog
      size="lg"
      title={created ? `Token “${created.token.name}” created` : 'New token'}
      isPersistent={created !== null}
      onClose={onClose}
    >
      {created ? (
        <CreatedTokenSecrets created={created} onDone={onClose} />
      ) : (
        <NewTokenForm onCreated={show} onCancel={onClose} />
      )}
    </Dialog>
  )
}

interface CreatedTokenSecretsProps {
  created: ApiCreatedToken
  onDone: () => void
}

function CreatedTokenSecrets({ created, onDone }: CreatedTokenSecretsProps) {
  const { apiKey, signingSecret } = created
  const [isStored, setStored] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const markCopied = () => setCopied(true)
  return (
    <Stack gap="md">
      <Text>These values are shown only once. Store them now in a safe place.</Text>
      <CopyField label="API key" value={apiKey} what="API key" hasAutofocus onCopied={markCopied} />
      <CopyField
        label="Signing secret"
        value={signingSecret}
        what="signing secret"
        onCopied={markCopied}
      />
      <div>
        <CopyButton
          text={`HANSARD_API_KEY=${apiKey}\nHANSARD_SIGNING_SECRET=${signingSecret}\n`}
          what="both as .env"
          showsLabel
          onCopied={markCopied}
        />
      </div>
      <CopyField
        label="Try it"
        description="Run this in a terminal. It shows the token’s permissions."
        value={`curl -H "X-API-Key: ${apiKey}" ${window.location.origin}/api/v1/token`}
        what="curl command"
      />
      <Group justify="space-between" mt="sm">
        <Checkbox
          label="I have stored both"
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Button onClick={onDone} disabled={!isStored && !isCopied}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

const EXPIRY_OPTIONS = [
  { days: '', label: 'Never' },
  { days: '30', label: 'In 30 days' },
  { days: '90', label: 'In 90 days' },
  { days: '365', label: 'In 365 days' },
]

interface NewTokenFormProps {
  onCreated: (answer: ApiCreatedToken) => void
  onCancel: () => void
}

function NewTokenForm({ onCreated, onCancel }: NewTokenFormProps) {
  const api = useApi()
  const signInAgain = useSignInAgain()
  const [asksPassword, setAsksPassword] = useState(false)
  const action = useAction(async (values: FormData) => {
    const body = toBody(values)
    if (asksPassword) {
      await signInAgain.run(readUntrimmedFormText(values, 'password'))
      setAsksPassword(false)
    }
    try {
      onCreated(await api.tokens.create(body))
    } catch (error) {
      const isTooOld = error instanceof ApiError && error.code === 'recent_sign_in_needed'
      if (!isTooOld || !signInAgain.hasPassword) throw error
      setAsksPassword(true)
    }
  })
  return (
    <Form action={action}>
      <TextField
        name="name"
        label="Token name"
        description="What you will use it for, for example “backend” or “ci”."
        maxLength={100}
        hasAutofocus
      />
      <KindField />
      <ScopeFields />
      <TextField
        name="projects"
        label="Projects"
        description="Optional. Project IDs, separated by commas. Leave empty for all projects that the token can use."
        isOptional
      />
      <Radio.Group name="days" label="Expires" defaultValue="">
        <Group mt="xs" gap="lg">
          {EXPIRY_OPTIONS.map(({ days, label }) => (
            <Radio key={days} value={days} label={label} />
          ))}
        </Group>
      </Radio.Group>
      {asksPassword && <PasswordAgain />}
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Create token
      </FormButtons>
    </Form>
  )
}

/** An older session may not create tokens. Signing in with the password starts a new one without leaving the form. */
function useSignInAgain() {
  const api = useApi()
  const queries = useQueryClient()
  const { email } = useSignedInUser()
  const { hasLocal } = useAppState().signIn
  const { data: methods } = useSignInMethods()
  return {
    hasPassword: hasLocal && methods?.hasPassword === true,
    async run(password: string): Promise<void> {
      cacheSignInResult(queries, await api.signIn.password({ email, password }))
    },
  }
}

function PasswordAgain() {
  const { email } = useSignedInUser()
  return (
    <Stack gap="xs" className="notice">
      <Text size="sm" role="alert">
        You signed in more than 15 minutes ago. Enter your password to create the token.
      </Text>
      {/* Password managers find the password by the user name in the same form. */}
      <input type="text" value={email} autoComplete="username" readOnly hidden />
      <PasswordField name="password" label="Password" autoComplete="current-password" autoFocus />
    </Stack>
  )
}

/** Only admins create service tokens. */
function KindField() {
  const { role } = useSignedInUser()
  if (role !== 'admin') {
    return (
      <Hint>
        The token has the same access as you. It stops working when your account is removed.
      </Hint>
    )
  }
  return (
    <RadioField
      name="kind"
      label="Kind"
      defaultValue="personal"
      options={Object.entries(TOKEN_KIND_LABELS).map(([value, { long }]) => ({
        value,
        label: long,
      }))}
    />
  )
}

function ScopeFields() {
  const problem = useFieldError('scopes')
  return (
    <AllOrSomeField
      name="scopeMode"
      label="Permissions"
      allLabel="All permissions"
      someLabel="Selected permissions"
    >
      <Checkbox.Group label="Allowed" defaultValue={['read']} error={problem} pl="xl">
        <Stack mt="xs" gap="xs">
          {Object.entries(SCOPE_LABELS).map(([scope, { long }]) => (
            <Checkbox key={scope} name="scopes" value={scope} label={long} />
          ))}
        </Stack>
      </Checkbox.Group>
    </AllOrSomeField>
  )
}

/** The API grants all permissions to a token without scopes, so an empty selection must never be sent. */
function readScopes(values: FormData): ApiTokenScope[] | undefined {
  if (readFormText(values, 'scopeMode') !== 'some') return undefined
  const scopes = values.getAll('scopes') as ApiTokenScope[]
  if (scopes.length > 0) return scopes
  throw new ApiError('The token has no permissions.', {
    status: 0,
    code: 'no_scope_chosen',
    details: [{ path: 'scopes', message: 'Select at least one permission.' }],
  })
}

type NewToken = {
  name: string
  kind: ApiTokenKind
  scopes?: ApiTokenScope[]
  projects?: string[]
  expiresAt?: string
}

function toBody(values: FormData): NewToken {
  const scopes = readScopes(values)
  const projects = readFormText(values, 'projects')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  const days = Number(readFormText(values, 'days'))
  return {
    name: readFormText(values, 'name'),
    kind: readFormText(values, 'kind') === 'service' ? 'service' : 'personal',
    ...(scopes && { scopes }),
    ...(projects.length > 0 && { projects }),
    ...(days > 0 && { expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() }),
  }
}
