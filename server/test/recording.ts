import type { Pool } from '../src/platform/db.ts'

/** A pool that writes down its statements, also those of its transactions, in their order and without their values. */
export function recording(sql: Pool, statements: string[]): Pool {
  return new Proxy(sql, {
    apply: (target, self, args) => {
      if (Array.isArray(args[0]) && 'raw' in args[0]) statements.push(args[0].join('?').replace(/\s+/g, ' '))
      return Reflect.apply(target as never, self, args)
    },
    get: (target, name) => {
      if (name !== 'begin') return Reflect.get(target, name)
      return (work: (sql: Pool) => Promise<unknown>) =>
        target.begin((inside) => work(recording(inside as never, statements)))
    },
  }) as Pool
}
