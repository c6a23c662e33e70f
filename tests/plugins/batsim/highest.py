line, free, queue, held = Line().begin(), None, [], {}
free = set(range(line.hosts))
while True:
    message = line.hear()
    for event in message['events']:
        data = event['data']
        if event['type'] == 'JOB_SUBMITTED':
            queue.append(data['job'])
            assert [data['job'].get(key) for key in ('user', 'group', 'queue', 'partition')] == [7, 1, 2, None], data
        elif event['type'] == 'JOB_COMPLETED':
            free |= held.pop(data['job_id'])
        elif event['type'] == 'SIMULATION_ENDS':
            line.say(message['now'])
            sys.exit()
    starts = []
    while queue and queue[0]['res'] <= len(free):
        job = queue.pop(0)
        hosts = sorted(free)[-job['res']:]
        held[job['id']] = set(hosts)
        free -= set(hosts)
        twice = f'{hosts[0]}-{hosts[-1]} {hosts[0]}' if hosts[-1] - hosts[0] + 1 == len(hosts) else ' '.join(map(str, hosts))
        starts.append(('EXECUTE_JOB', {'job_id': job['id'], 'alloc': twice}))
        starts.append(('SET_JOB_METADATA', {'job_id': job['id'], 'metadata': f'"{len(queue)}" wait'}))
    line.say(message['now'], *starts)
