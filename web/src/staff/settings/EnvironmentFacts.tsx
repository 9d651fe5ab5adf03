import forms from '../Forms.module.css'
import css from './Settings.module.css'
import type { Everything } from './saving.ts'

/** What only the environment says, to be read. */
export const EnvironmentFacts = ({ all }: { all: Everything }) => (
  <section data-framed className={`${forms.form} ${css.card}`} aria-labelledby="environment">
    <div className={css.head}>
      <h2 id="environment">What only the environment says</h2>
      <p className={forms.hint}>Read once when a process starts. Passwords, keys and secrets are not shown here.</p>
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
              <dd data-unset={value === 'not set' || undefined}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    ))}
  </section>
)
