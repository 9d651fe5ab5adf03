import { rich } from '../../platform/message.ts'
import forms from '../forms/Forms.module.css'
import { GatewayStates } from '../sales/GatewayStates.tsx'
import css from './Settings.module.css'
import type { Everything } from './saving.ts'
import * as texts from './texts.ts'

/** The payment providers, and whether they accept the pool's keys. */
export function GatewaysCard({ all }: { all: Everything }) {
  const facts = all.environment.flatMap(({ facts }) => facts).find(({ name }) => name === 'GATEWAYS')
  return (
    <section data-framed className={`${forms.form} ${css.card}`} aria-labelledby="payment-providers">
      <div className={css.head}>
        <h2 id="payment-providers">{texts.paymentProviders}</h2>
        <p className={forms.hint}>
          {rich(texts.setInTheEnvironmentGateways, {
            value: facts?.value ?? texts.notSet,
            code: (inside) => <code>{inside}</code>,
          })}
        </p>
      </div>
      <GatewayStates />
    </section>
  )
}
