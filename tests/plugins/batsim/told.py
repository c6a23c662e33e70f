class Told(Line):
    # A C program sends a text with its zero byte.
    def raw(self, body):
        super().raw(body + b'\0')

    def hear(self):
        message = super().hear()
        with open('told', 'a') as told:
            for event in message['events']:
                if event['type'] == 'JOB_SUBMITTED':
                    told.write(json.dumps([event['data']['job'], event['data'].get('profile')]) + '\n')
        return message
Told().begin().fcfs()
