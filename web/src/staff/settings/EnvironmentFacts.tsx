import forms from '../forms/Forms.module.css'
import css from './Settings.module.css'
import type { Everything } from './saving.ts'
import * as texts from './texts.ts'

/** Settings that come only from the environment, read-only. */
export const EnvironmentFacts = ({ all }: { all: Everything }) => (
  <section data-framed className={`${forms.form} ${css.card}`} aria-labelledby="environment">
    <div className={css.head}>
      <h2 id="environment">{texts.environment}</h2>
      <p className={forms.hint}>{texts.readOnlyTheseValuesCome}</p>
    </div>
    {all.environment.map(({ part, facts }) => (
      <div key={part} className={css.facts}>
        <h3>{part}</h3>
        <dl>
          {facts.map(({ name, what, value }) => (
            <div key={name}>
              <dt>
                {what} <code>{name}</code>
              </dt>
              <dd data-unset={value === 'Not set' || undefined}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    ))}
  </section>
)
