import { Button } from '@mantine/core'
import { PASSWORD_ADVICE, PasswordField, TextField } from './fields.tsx'
import { Form, readText } from './form.tsx'
import { useAction } from './use-action.ts'

export interface NewPerson {
  name: string
  email: string
  password: string
}

interface NewPersonFormProps {
  email?: string | null
  onSubmit: (person: NewPerson) => Promise<void>
}

export function NewPersonForm({ email, onSubmit }: NewPersonFormProps) {
  const action = useAction((values: FormData) =>
    onSubmit({
      name: readText(values, 'name').trim(),
      email: readText(values, 'email').trim(),
      password: readText(values, 'password'),
    }),
  )
  return (
    <Form action={action}>
      <TextField name="name" label="Name" autoComplete="name" maxLength={100} />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        maxLength={254}
        defaultValue={email ?? ''}
        description="To sign in with. Hansard sends no mail to it."
      />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="new-password"
        description={PASSWORD_ADVICE}
      />
      <Button type="submit" loading={action.isRunning} mt="xs">
        Create account
      </Button>
    </Form>
  )
}
