import { GatewayStates } from '../commerce/GatewayStates.tsx'
import forms from '../Forms.module.css'
import css from './Settings.module.css'
import type { Everything } from './saving.ts'

/** How members pay, and whether the providers accept the keys of this pool. */
export function GatewaysCard({ all }: { all: Everything }) {
  const facts = all.environment.flatMap(({ facts }) => facts).find(({ name }) => name === 'GATEWAYS')
  return (
    <section data-framed className={`${forms.form} ${css.card}`} aria-labelledby="payment-providers">
      <div className={css.head}>
        <h2 id="payment-providers">Payment providers</h2>
        <p className={forms.hint}>
          Set in the environment: <code>GATEWAYS</code> is {facts?.value ?? 'not set'}. The keys are checked when the
          pool starts and every 30 seconds.
        </p>
      </div>
      <GatewayStates />
    </section>
  )
}
