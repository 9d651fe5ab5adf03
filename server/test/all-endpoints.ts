import * as contract from '@dubplate/contract'

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === 'object' && value !== null && 'access' in value

/** Every endpoint of the contract. */
export const allEndpoints: contract.Endpoint[] = Object.values(contract).flatMap((module) =>
  typeof module === 'object' ? Object.values(module).filter(isEndpoint) : [],
)
