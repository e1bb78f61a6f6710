import { expect, it } from 'vitest'
import { createRequestTimes } from './requestTimes.ts'

it('times of requests are written as Prometheus reads them: each group with those before it, kinds that did not happen not at all', () => {
  const times = createRequestTimes()
  const count = times.counterOf({ method: 'GET', route: '/api/v1/prices/:address', status: 200 })
  times.counterOf({ method: 'GET', route: '/api/v1/prices', status: 304 })
  for (const seconds of [0.0005, 0.001, 0.25]) count(seconds)
  times.counterOf({ method: 'GET', route: '/api/v1/prices/:address', status: 200 })(4)
  expect(times.text()).toBe(`# HELP chainboard_http_request_seconds Time to answer a request
# TYPE chainboard_http_request_seconds histogram
chainboard_http_request_seconds_bucket{le="0.001",method="GET",route="/api/v1/prices/:address",status="200"} 2
chainboard_http_request_seconds_bucket{le="0.005",method="GET",route="/api/v1/prices/:address",status="200"} 2
chainboard_http_request_seconds_bucket{le="0.02",method="GET",route="/api/v1/prices/:address",status="200"} 2
chainboard_http_request_seconds_bucket{le="0.1",method="GET",route="/api/v1/prices/:address",status="200"} 2
chainboard_http_request_seconds_bucket{le="0.5",method="GET",route="/api/v1/prices/:address",status="200"} 3
chainboard_http_request_seconds_bucket{le="2",method="GET",route="/api/v1/prices/:address",status="200"} 3
chainboard_http_request_seconds_bucket{le="+Inf",method="GET",route="/api/v1/prices/:address",status="200"} 4
chainboard_http_request_seconds_sum{method="GET",route="/api/v1/prices/:address",status="200"} 4.2515
chainboard_http_request_seconds_count{method="GET",route="/api/v1/prices/:address",status="200"} 4
`)
})
