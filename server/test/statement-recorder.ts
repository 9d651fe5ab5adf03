import type { Pool } from '../src/platform/db.ts'

/** A pool that records its statements, including those of its transactions, in order and without their values. */
export function recordStatements(sql: Pool, statements: string[]): Pool {
  return new Proxy(sql, {
    apply: (target, state, args) => {
      if (Array.isArray(args[0]) && 'raw' in args[0]) statements.push(args[0].join('?').replace(/\s+/g, ' '))
      return Reflect.apply(target as never, state, args)
    },
    get: (target, name) => {
      if (name !== 'begin') return Reflect.get(target, name)
      return (task: (sql: Pool) => Promise<unknown>) =>
        target.begin((inside) => task(recordStatements(inside as never, statements)))
    },
  }) as Pool
}
